/** Sets the clock of a test's world, where one is told. */
const at = process.env.FIXED_NOW ?? "";
if (at !== "") {
  const Real = Date;
  const shift = Real.parse(at) - Real.now();
  class Shifted extends Real {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(Real.now() + shift);
      else super(...(args as [number]));
    }
    static override now() {
      return Real.now() + shift;
    }
  }
  globalThis.Date = Shifted as DateConstructor;
}
export {};
