/**
 * Raised by every change except new members and methods of the protocol. An older client is then asked to
 * update.
 */
export const protocolVersion = 4;
