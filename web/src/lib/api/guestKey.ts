// The secret of this browser's guests: with the same name and key a guest signs in to the same account again.
const STORAGE_KEY = "workroom.guestKey";

export function guestKey(): string {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(STORAGE_KEY, key);
  return key;
}
