import { expect, it } from 'vitest';
import { compareRoute, formatRoute, parseRoute, type Route } from './route.ts';

const ODD = 'a/b c?#%&ü';

const routes: readonly Route[] = [
  { view: 'start' },
  { view: 'app', app: ODD },
  { view: 'set', app: ODD, set: ODD, search: 'a & b' },
  { view: 'case', app: 'lamp', set: ODD, id: ODD, pane: 'json' },
  { view: 'case', app: 'lamp', set: 'home', id: '1', pane: 'form' },
  { view: 'run-dialog', app: 'lamp', set: 'home', cases: [ODD, 'b,c'] },
  { view: 'trends', app: 'lamp', set: ODD },
  { view: 'chat', app: 'lamp', session: null },
  { view: 'chat', app: 'lamp', session: ODD },
  { view: 'runs', app: null, chosen: [] },
  { view: 'runs', app: 'lamp', chosen: ['1', '2'] },
  { view: 'run', run: '20261123-003742-tcsh' },
  compareRoute('1', '2'),
  { ...compareRoute('1', '2'), all: true },
  { ...compareRoute('1', ODD), opened: { set: ODD, id: ODD, before: null, now: null } },
  { ...compareRoute('1', '2'), all: true, opened: { set: 'home', id: 'a', before: ODD, now: 'b' } },
  { view: 'label', run: '1', criterion: null, rubric: null, whole: false },
  { view: 'label', run: ODD, criterion: ODD, rubric: ODD, whole: false },
  { view: 'label', run: '1', criterion: null, rubric: null, whole: true },
];

it.each(routes.map((route) => [formatRoute(route), route] as const))(
  '%s leads to the view that it names',
  (address, route) => {
    expect(parseRoute(address)).toEqual(route);
  },
);

it("parseRoute() leaves the rest of a run's address to the run view", () => {
  expect(parseRoute('#/runs/1/case/home/a?turn=2')).toEqual({ view: 'run', run: '1' });
  expect(parseRoute('#/runs/1/?verdict=failed')).toEqual({ view: 'run', run: '1' });
});

it('parseRoute() returns `nowhere` for an unknown address', () => {
  for (const hash of ['#/nothing', '#/apps', '#/compare/1', '#/apps/a/b'])
    expect(parseRoute(hash).view).toBe('nowhere');
  expect(parseRoute('#/apps/%E0%A4%A').view).toBe('app');
});
