/** Raised by every change except new members and methods of the protocol; an older client is then told to update. */
export const protocolVersion = 4;
