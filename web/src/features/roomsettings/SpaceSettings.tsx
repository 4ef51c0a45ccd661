// The space that a room takes, and its quotas.
import { useQuery } from "@tanstack/react-query";
import { QuotaTable } from "@/components/QuotaTable";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { SettingsSection } from "./SettingsSection";

export function SpaceSettings({ room }: { room: string }) {
  const quotas = useQuery({
    queryKey: queryKeys.room(room, "quotas"),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/quotas", { params: { path: { room } }, signal })).data!,
  });
  if (!quotas.data) return null;
  return (
    <SettingsSection title="Space" about="Admins can change these limits.">
      <QuotaTable quotas={quotas.data.items} />
    </SettingsSection>
  );
}
