import type { State } from '@agent-criteria/cli';

/** Opening hours by day; Monday is closed. */
const HOURS: Readonly<Record<string, string>> = {
  tuesday: '10:00 to 18:00',
  wednesday: '10:00 to 18:00',
  thursday: '10:00 to 21:00',
  friday: '10:00 to 18:00',
  saturday: '9:00 to 18:00',
  sunday: '9:00 to 17:00',
};
const PRICES: Readonly<Record<string, number>> = { adult: 12, student: 8, child: 0 };
const TOURS: Readonly<Record<string, { readonly starts: string; readonly places: number }>> = {
  egypt: { starts: '11:00', places: 4 },
  'modern art': { starts: '15:00', places: 0 },
};

/** What the desk can look up and do. */
export const tools: Readonly<Record<string, (args: State) => State>> = {
  opening_hours({ day }) {
    const hours = HOURS[String(day)];
    return hours === undefined ? { open: false } : { open: true, hours };
  },
  ticket_price({ group }) {
    const euro = PRICES[String(group)];
    return euro === undefined ? { error: `there is no price for ${String(group)}` } : { euro };
  },
  find_tour({ topic }) {
    const tour = TOURS[String(topic)];
    return tour === undefined ? { found: false } : { found: true, ...tour };
  },
  book_tour: ({ topic, people }) => ({ booked: true, topic: topic ?? null, people: people ?? null, code: 'T-4711' }),
};

/** As the model of a real agent would be told of them. */
export const toolDeclarations = [
  { name: 'opening_hours', description: 'When the museum is open on a day.', parameters: { day: 'a weekday' } },
  { name: 'ticket_price', description: 'What a ticket costs.', parameters: { group: 'adult, student or child' } },
  { name: 'find_tour', description: 'Start and free places of a guided tour.', parameters: { topic: 'its topic' } },
  { name: 'book_tour', description: 'Books a guided tour.', parameters: { topic: 'its topic', people: 'how many' } },
];
