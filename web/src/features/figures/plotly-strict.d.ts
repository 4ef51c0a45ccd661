declare module "plotly.js-strict-dist-min" {
  const plotly: unknown;
  export default plotly;
}
