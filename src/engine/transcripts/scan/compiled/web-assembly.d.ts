/** The parts in use of the global `WebAssembly`, which the types of Node.js leave to those of browsers. */
declare namespace WebAssembly {
  const Module: new (bytes: Uint8Array) => object;
  const CompileError: new () => Error;
  const Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}
