import { rootPath } from "@/lib/rootPath";

export function Brand({ size = 26 }: { size?: number }) {
  return <img src={`${rootPath}/icon.svg`} width={size} height={size} alt="" style={{ display: "block" }} />;
}
