/** The amounts of a salary, in the order of its narrative: the name of each, and its place in an answer. */
export const AMOUNTS = {
  grossIncome: (data) => data.gross_income,
  insurance: (data) => data.insurance.total,
  taxableIncome: (data) => data.taxable_income,
  tax: (data) => data.tax,
  netIncome: (data) => data.net_income,
  employerCost: (data) => data.detail.employer.cost,
};
