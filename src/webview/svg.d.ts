/** esbuild hands out a drawing as its text. */
declare module "*.svg" {
  const text: string;
  export = text;
}
