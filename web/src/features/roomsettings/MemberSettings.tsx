// The members of a room and their rights.
import { ActionIcon, Badge, Button, Group, Select, Table, TextInput } from "@mantine/core";
import { IconTrash, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { RIGHTS } from "./memberRights";
import { SettingsSection } from "./SettingsSection";
export function MemberSettings({ room, owns }: { room: string; owns: boolean }) {
  const client = useQueryClient();
  const members = useQuery({
    queryKey: queryKeys.members(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/members", { params: { path: { room } } })).data!.items,
  });
  const refetchMembers = () => client.invalidateQueries({ queryKey: queryKeys.members(room) });
  const put = useMutation({
    mutationFn: ({ who, rights }: { who: string; rights: string }) =>
      api.PUT("/api/rooms/{room}/members/{who}", {
        params: { path: { room, who } },
        body: { rights: rights as "read" | "write" | "own" },
      }),
    onSettled: refetchMembers,
  });
  const remove = useMutation({
    mutationFn: (who: string) =>
      api.DELETE("/api/rooms/{room}/members/{who}", { params: { path: { room, who } } }),
    onSettled: refetchMembers,
  });
  const [who, setWho] = useState("");
  const [rights, setRights] = useState("write");
  const add = (event: FormEvent) => {
    event.preventDefault();
    put.mutate({ who: who.trim(), rights }, { onSuccess: () => setWho("") });
  };
  return (
    <SettingsSection
      title="Members"
      about="Only members can open a private room. In a public room, members may have more rights than other users."
    >
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {members.data?.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td fw={560}>{member.name}</Table.Td>
              <Table.Td w={150}>
                {owns && !member.creator ? (
                  <Select
                    aria-label={`Rights of ${member.name}`}
                    size="xs"
                    allowDeselect={false}
                    data={RIGHTS}
                    value={member.rights}
                    onChange={(value) => value && put.mutate({ who: member.id, rights: value })}
                  />
                ) : (
                  <Badge color="gray">
                    {member.creator ? "creator" : RIGHTS.find((one) => one.value === member.rights)?.label}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td w={40}>
                {owns && !member.creator && (
                  <ActionIcon aria-label={`Remove ${member.name}`} onClick={() => remove.mutate(member.id)}>
                    <IconTrash size={15} />
                  </ActionIcon>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {owns && (
        <form onSubmit={add}>
          <Group mt="sm" gap="xs">
            <TextInput
              aria-label="Name of a new member"
              placeholder="Name"
              value={who}
              onChange={(event) => setWho(event.currentTarget.value)}
            />
            <Select
              aria-label="Rights of the new member"
              w={130}
              size="sm"
              allowDeselect={false}
              data={RIGHTS}
              value={rights}
              onChange={(value) => setRights(value ?? "write")}
            />
            <Button
              type="submit"
              size="sm"
              variant="default"
              leftSection={<IconUserPlus size={15} />}
              disabled={!who.trim()}
              loading={put.isPending}
            >
              Add
            </Button>
          </Group>
        </form>
      )}
    </SettingsSection>
  );
}
