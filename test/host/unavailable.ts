/**
 * Something this machine cannot provide, such as a download without a network. Not a fault of the code under
 * test.
 */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
