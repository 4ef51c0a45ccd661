export default function RoomsPage() {
  return null;
}
