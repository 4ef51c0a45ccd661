export function Brand({ size = 26 }: { size?: number }) {
  return <img src="/icon.svg" width={size} height={size} alt="" style={{ display: "block" }} />;
}
