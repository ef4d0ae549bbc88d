/** esbuild imports an SVG file as its text. */
declare module "*.svg" {
  const text: string;
  export = text;
}
