import { expect, it } from 'vitest';
import { eventsOfCall, type TurnEvent } from './turn-event.ts';

it('eventsOfCall() returns the events of a call and its response, but not those of an equal call', () => {
  const [call, again] = [{ name: 'look_up' }, { name: 'look_up' }];
  const response = { name: 'look_up', response: {} };
  const events: TurnEvent[] = [{ functionCall: call }, { functionResponse: response }, { functionCall: again }].map(
    (part, place) => ({ id: `0-${place}`, author: 'desk', content: { parts: [part] }, value: null }),
  );
  expect(eventsOfCall(events, { call, response })).toEqual(['0-0', '0-1']);
  expect(eventsOfCall(events, { call: again, response: null })).toEqual(['0-2']);
});
