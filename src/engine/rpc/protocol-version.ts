/** Members and methods of the protocol may be added; any other change raises it, and an older client is told to update. */
export const protocolVersion = 3;
