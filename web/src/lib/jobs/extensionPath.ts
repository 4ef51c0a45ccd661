// The path of an extension in addresses: `modifiers/Relax`, with `@global` where it is not one of the room.
interface Named {
  category: string;
  name: string;
  scope: string;
}

/** Its last part: the name, with the scope. */
export function extensionName({ name, scope }: Omit<Named, "category">): string {
  return scope === "room" ? name : `${name}@${scope}`;
}

export function extensionPath(extension: Named): string {
  return `${extension.category}/${extensionName(extension)}`;
}

/** The extension at a path. Without a scope it is the one of the room, or else the first of this name. */
export function findExtension<T extends Named>(extensions: readonly T[], path: string): T | undefined {
  const [address, scope] = path.split("@");
  const named = extensions.filter((one) => `${one.category}/${one.name}` === address);
  return scope
    ? named.find((one) => one.scope === scope)
    : (named.find((one) => one.scope === "room") ?? named[0]);
}
