// Which fields are sums of money, and in which currency.

const sums = /^(amount|amount_\w+|\w+_amount|(sub)?total|total_(amount|value|due|paid|price|tax)|((unit|net|gross)_)?price|net|gross|(net|gross)_(pay|amount|total)|tax|vat|prepaid|discount|shipping|fee|rounding|balance|balance_due|(opening|closing|available)_balance)$/;

/** Whether a field is called after a sum of money. */
export const isMoney = (field) => sums.test(field);

/** The currency of a sum: what the same source states that gave the sum; none is guessed. */
export function currencyOf(field, { snapshot, provenance }) {
  const same = provenance?.[field] !== undefined && provenance[field] === provenance.currency;
  return same && typeof snapshot.currency === "string" ? snapshot.currency : undefined;
}
