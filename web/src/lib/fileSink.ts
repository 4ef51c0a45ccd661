// A file that is saved while it is produced. It grows on the disk, in the browser's private folder of this page, so that its
// size is not bounded by memory. A page over plain http has no such folder: it collects the parts in memory.
import { download } from "@/lib/download";

export interface FileSink {
  write(part: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** Saves what was written as a file of the user. */
  save(name: string): Promise<void>;
  /** Forgets what was written. */
  discard(): Promise<void>;
}

const FOLDER = "downloads";
/** The browser copies a file after it was saved: it is removed when a later one is opened. */
const KEPT_MS = 24 * 3_600_000;

export async function openSink(): Promise<FileSink> {
  try {
    return await openOnDisk();
  } catch {
    return openInMemory();
  }
}

async function openOnDisk(): Promise<FileSink> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  await removeOld(folder);
  const name = crypto.randomUUID();
  const handle = await folder.getFileHandle(name, { create: true });
  const file = await handle.createWritable();
  return {
    write: (part) => file.write(part),
    async save(as) {
      await file.close();
      download(await handle.getFile(), as);
    },
    async discard() {
      await file.abort();
      await folder.removeEntry(name);
    },
  };
}

async function removeOld(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    const { lastModified } = await (await folder.getFileHandle(name)).getFile();
    if (Date.now() - lastModified > KEPT_MS) await folder.removeEntry(name).catch(() => undefined);
  }
}

function openInMemory(): FileSink {
  const parts: BlobPart[] = [];
  return {
    write: async (part) => void parts.push(part),
    save: async (name) => download(new Blob(parts), name),
    discard: async () => void parts.splice(0),
  };
}

/** Saves a response while it arrives; `told` hears how many bytes have. */
export async function saveStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  name: string,
  told: (bytes: number) => void,
): Promise<void> {
  const sink = await openSink();
  let bytes = 0;
  try {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await sink.write(value);
      bytes += value.length;
      told(bytes);
    }
    await sink.save(name);
  } catch (error) {
    await sink.discard().catch(() => undefined);
    throw error;
  }
}
