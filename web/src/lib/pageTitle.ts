// The title of the tab. It begins with the number of the user's jobs that ended, and of messages that came, while the tab was
// hidden. That needs no permission, unlike notices outside of the browser.
import { useEffect } from "react";
import { create } from "zustand";

const useUnseen = create<{ count: number }>(() => ({ count: 0 }));

export function countUnseen(): void {
  if (document.visibilityState === "hidden") useUnseen.setState(({ count }) => ({ count: count + 1 }));
}

export function usePageTitle(title: string): void {
  const count = useUnseen((now) => now.count);
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ""}${title} · Workroom`;
  }, [title, count]);
  useEffect(() => {
    const reset = () => {
      if (document.visibilityState === "visible") useUnseen.setState({ count: 0 });
    };
    document.addEventListener("visibilitychange", reset);
    return () => document.removeEventListener("visibilitychange", reset);
  }, []);
}
