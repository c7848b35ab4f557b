import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryText } from '../../../../test/binary-text.ts';
import { wellFormed } from './address.ts';
import { type AnyVerdict, formatRoute, NO_FILTER, parseRoute, type Route, SORTS, TEXT_COLUMNS } from './route.ts';

const text = fc.oneof(
  binaryText(),
  fc.constantFrom('', '.', '..', 'a/b', '%', '%zz', '#', '?', '&=+', 'für zwei', '\u202E'),
);
const place = fc.nat(10_000);
const verdicts: AnyVerdict[] = ['passed', 'failed', 'not-evaluated', 'error', 'informational', 'skipped'];
const own = <Turn>(turn: Turn) => ({ view: fc.constant('case' as const), set: text, id: text, repeat: place, turn });
const cases = {
  view: fc.constant('cases' as const),
  filter: fc.record({
    verdicts: fc.subarray(verdicts),
    criterion: fc.option(text),
    search: text,
    tag: fc.option(text),
    hidden: fc.array(text, { maxLength: 3 }),
    shown: fc.subarray([...TEXT_COLUMNS]),
    sort: fc.constantFrom(...SORTS),
  }),
};
const beside = own(fc.constant(null));
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.record(own(fc.option(place))),
  fc.record({ variant: text, ...own(fc.option(place)) }),
  fc.record(cases),
  fc.record({ beside: fc.record(beside), ...cases }),
  fc.record({ beside: fc.record({ variant: text, ...beside }), ...cases }),
);

describe('formatRoute() and parseRoute()', () => {
  it('preserve every route', () => {
    fc.assert(
      fc.property(route, (given) => {
        const address = formatRoute(given);
        expect(parseRoute(address)).toEqual(given);
        // Browsers do not normalise it any further.
        expect(new URL(address, 'file:///report.html').hash).toBe(address);
      }),
    );
  });

  it('count repeats and turns from 1', () => {
    const given: Route = { view: 'case', set: 'my set', id: 'a/b', repeat: 1, turn: 0 };
    expect(formatRoute(given)).toBe('#/case/my%20set/a%2Fb?repeat=2&turn=1');
  });

  it('accept any address, falling back to the list of cases', () => {
    fc.assert(
      fc.property(binaryText(), (hash) => {
        expect(['case', 'cases']).toContain(parseRoute(`#/case/${hash}`).view);
        expect(['case', 'cases']).toContain(parseRoute(hash).view);
      }),
    );
    expect(parseRoute('')).toEqual({ view: 'cases', filter: NO_FILTER });
    expect(parseRoute('#/case/a')).toEqual({ view: 'cases', filter: NO_FILTER });
    expect(parseRoute('#/case/a/b/c')).toEqual({ view: 'cases', filter: NO_FILTER });
    expect(parseRoute('#/?verdict=constructor.failed&sort=__proto__')).toEqual({
      view: 'cases',
      filter: { ...NO_FILTER, verdicts: ['failed'] },
    });
    expect(parseRoute('#/case/%/%zz?repeat=0&turn=-1')).toEqual({
      view: 'case',
      set: '%',
      id: '%zz',
      repeat: 0,
      turn: null,
    });
  });

  it('replace lone surrogates', () => {
    fc.assert(
      fc.property(
        binaryText().map((it) => `${it}\uD800x`),
        (id) => {
          // Buffer and URL replace lone surrogates in the same way.
          expect(wellFormed(id)).toBe(Buffer.from(id).toString());
        },
      ),
    );
    expect(parseRoute(formatRoute({ view: 'case', set: '\uDC00', id: '\uD800', repeat: 0, turn: null }))).toMatchObject(
      {
        set: '\uFFFD',
        id: '\uFFFD',
      },
    );
  });
});
