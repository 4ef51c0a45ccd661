// Notices of what concerns the user: own jobs that have ended, and mentions in a chat. A hidden tab shows them outside of the
// browser if the user allows that, and counts them in its title; a visible one shows mentions as a toast.
import { create } from "zustand";
import { STATE_LABELS } from "@/components/jobs/StateBadge";
import { useSession } from "@/lib/api/session";
import { notify } from "@/lib/notifications";
import { countUnseen } from "@/lib/pageTitle";
import { mentions } from "@/lib/peopleMentions";
import type { JobBrief } from "@/live/jobs/jobPatches";
import { getSocket } from "@/live/socket";

/** What screen readers say: the own job that ended last. The number tells announcements with the same text apart. */
export const useAnnouncement = create<{ text: string; number: number }>(() => ({ text: "", number: 0 }));

export function announce(text: string): void {
  useAnnouncement.setState(({ number }) => ({ text, number: number + 1 }));
}

interface ChatEvent {
  id: string;
  room: string;
  text?: string;
  user?: string | null;
  userId?: string | null;
  jobId?: string | null;
  edited?: boolean;
}

export const noticePermission = (): NotificationPermission | "missing" =>
  typeof Notification === "undefined" ? "missing" : Notification.permission;

/** Shows a notice outside of the browser; whether it could. */
function showOutside(title: string, body: string, tag: string): boolean {
  if (document.visibilityState === "visible" || noticePermission() !== "granted") return false;
  try {
    const notice = new Notification(title, { body, tag });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return true;
  } catch {
    return false; // on phones only a service worker may show one
  }
}

/** Show notices until the returned function is called. */
export function subscribeToNotices(): () => void {
  const socket = getSocket();
  const onJob = (job: JobBrief) => {
    const me = useSession.getState().user?.id;
    if (job.finishedAt === null || job.userId !== me || job.postingId !== null) return;
    countUnseen();
    const outcome = STATE_LABELS[job.status] ?? job.status;
    announce(`${job.name} ${outcome}`);
    showOutside(`${job.name} ${outcome}`, job.room === null ? "" : `in ${job.room}`, job.jobId);
  };
  const onMessage = ({ id, room, text, user, userId, jobId, edited }: ChatEvent) => {
    const me = useSession.getState().user;
    if (!me || !text || jobId || edited || userId === me.id) return;
    countUnseen();
    if (!mentions(text, me.name)) return;
    const title = `${user ?? "A former user"} mentioned you in ${room}`;
    if (!showOutside(title, text.slice(0, 200), id)) notify(text.slice(0, 200), title);
  };
  socket.on("job:state_changed", onJob);
  socket.on("chat:message", onMessage);
  return () => {
    socket.off("job:state_changed", onJob);
    socket.off("chat:message", onMessage);
  };
}
