interface Order {
  readonly title: string;
  readonly status: 'sent' | 'delivered';
  readonly arrives?: string;
  readonly deliveredDaysAgo?: number;
}

const ORDERS: Readonly<Record<string, Order>> = {
  '4711': { title: 'The Sea Atlas', status: 'sent', arrives: 'Thursday' },
  '2044': { title: 'Bread in Six Days', status: 'delivered', deliveredDaysAgo: 4 },
  '1380': { title: 'Knots and Splices', status: 'delivered', deliveredDaysAgo: 52 },
};
const BOOKS = [
  { title: 'The Sea Atlas', euro: 34, inStock: 3 },
  { title: 'Bread in Six Days', euro: 22, inStock: 8 },
];

/** @throws If there is no such order. */
export function findOrder({ number }: { readonly number: string }) {
  const order = Object.hasOwn(ORDERS, number) ? ORDERS[number] : undefined;
  if (order === undefined) throw new Error(`there is no order ${number}`);
  return { number, ...order };
}

export function searchBooks({ title }: { readonly title: string }) {
  return { books: BOOKS.filter((book) => book.title.toLowerCase().includes(title.toLowerCase())) };
}

export function returnOrder({ number, reason }: { readonly number: string; readonly reason: string }) {
  return { label: `RET-${number}`, reason };
}
