declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Explorer {
    preauthorizeApiKey(scheme: string, token: string): void;
  }
  export default function SwaggerUI(options: Record<string, unknown>): Explorer;
}
