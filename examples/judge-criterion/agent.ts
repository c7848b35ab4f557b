/** What a household is told about its energy. No model: the same answers in every run. One of them is bad, on purpose. */
export function rootAgent(message: string): string {
  if (message.includes('gas')) return '31, down from 40.';
  if (message.includes('electricity')) return 'You used 212 kWh of electricity in March, 9 kWh less than in February.';
  if (message.includes('cost')) return 'A kWh costs 34.5 cents until 31 December.';
  return 'You are welcome!';
}
