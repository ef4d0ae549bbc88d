/** The twenty-second migration: what the price of a response depends on, and the last of the calls that it sums up. */
export const pricedResponses = `
ALTER TABLE responses ADD COLUMN price_terms TEXT;
ALTER TABLE responses ADD COLUMN last_context INTEGER;
ALTER TABLE responses ADD COLUMN last_output INTEGER;
`;
