import { Loader } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { NotFound } from "@/components/NotFound";
import { api, isTransient } from "@/lib/api/client";

/** Redeems an invitation link and opens the room. */
export default function JoinPage() {
  const { link } = useParams({ from: "/in/join/$link" });
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    meta: { quiet: true },
    mutationFn: async () => (await api.POST("/api/join", { body: { link } })).data!,
    onSuccess: (room) => void navigate({ to: "/rooms/$room", params: { room: room.name }, replace: true }),
  });
  useEffect(() => mutate(), [mutate]);
  return error ? (
    isTransient(error) ? (
      <ErrorAlert error={error} onRetry={() => mutate()} />
    ) : (
      <NotFound title="You cannot join">{error.message}</NotFound>
    )
  ) : (
    <Loader m="xl" size="sm" role="status" aria-label="Loading" />
  );
}
