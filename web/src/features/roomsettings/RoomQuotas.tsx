// What a room uses of its quotas.
import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { QuotaTable } from "@/components/QuotaTable";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { SettingsSection } from "./SettingsSection";

export function RoomQuotas({ room }: { room: string }) {
  const quotas = useQuery({
    queryKey: queryKeys.room(room, "quotas"),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/quotas", { params: { path: { room } }, signal })).data!,
  });
  return (
    <SettingsSection title="Quotas" about="What this room uses. Admins can change the limits.">
      {quotas.isLoadingError && <ErrorAlert error={quotas.error} />}
      {quotas.data && <QuotaTable quotas={quotas.data.items} />}
    </SettingsSection>
  );
}
