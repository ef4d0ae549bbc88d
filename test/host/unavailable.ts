/** Something this machine cannot have, such as a download without a network. Not a fault of what is tested. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
