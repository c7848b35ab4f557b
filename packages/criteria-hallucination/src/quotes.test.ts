import { expect, test } from 'vitest';
import { quotesOf } from './quotes.ts';

const isQuote = quotesOf([
  'The ferry leaves at 9:00,\n from pier two.',
  JSON.stringify({ note: 'closed\non "Sunday"' }, null, 1),
]);

test.each([
  'leaves at 9:00',
  '“The ferry leaves at 9:00, from pier two.”',
  'The ferry … pier two',
  'The ferry [...] pier two',
  'closed\non "Sunday"',
  'closed\\non \\"Sunday\\"',
  '"note": "closed',
  '…',
])('quotesOf() recognizes %j as a quote', (quote) => {
  expect(isQuote(quote)).toBe(true);
});

test.each(['leaves at 9:30', 'the ferry leaves from pier two', 'pier two … closed on Monday'])(
  'quotesOf() does not recognize %j as a quote',
  (quote) => {
    expect(isQuote(quote)).toBe(false);
  },
);
