export const RIGHTS = [
  { value: "read", label: "may read" },
  { value: "write", label: "may write" },
  { value: "own", label: "owns it" },
];
