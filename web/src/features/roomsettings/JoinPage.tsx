import { Loader } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";

/** Whoever comes by a link becomes a member. */
export default function JoinPage() {
  const { link } = useParams({ strict: false }) as { link: string };
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    meta: { quiet: true },
    mutationFn: async () => (await api.POST("/api/join", { body: { link } })).data!,
    onSuccess: (room) => void navigate({ to: "/rooms/$room", params: { room: room.name }, replace: true }),
  });
  useEffect(() => mutate(), [mutate]);
  return error ? (
    <ErrorAlert error={error} />
  ) : (
    <Loader m="xl" size="sm" role="status" aria-label="Loading" />
  );
}
