import { Outlet } from "@tanstack/react-router";

export default function RoomLayout() {
  return (
    <div style={{ height: "100vh" }}>
      <Outlet />
    </div>
  );
}
