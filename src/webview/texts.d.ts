/** esbuild imports these files as their text. */
declare module "*.svg" {
  const text: string;
  export = text;
}
declare module "*.css" {
  const text: string;
  export = text;
}
