import type { ComparedCase } from '@agent-criteria/analysis';
import { useState } from 'preact/hooks';
import { type ComparedPage, comparedBlockId } from '../compared-runs.ts';
import { formatAddress, parseAddress, useAddress, wellFormed } from './address.ts';
import { ComparedCaseView, type SideDetails } from './compared-case-view.tsx';
import { ComparedRunsView, type Side, shownCases } from './compared-runs-view.tsx';
import { visible } from './format.ts';
import { Licences, PageTheme, SkipLink } from './page-tools.tsx';
import { embeddedCase } from './run-source.ts';
import { useKeys } from './use-keys.ts';

/** The view that the address identifies, such as `#/?cases=all` or `#/case/set/id`. */
interface Place {
  readonly all: boolean;
  readonly opened: { readonly set: string; readonly id: string } | null;
}

/** The page that compares two runs. */
export function ComparedApp({ page, licences }: { readonly page: ComparedPage; readonly licences: string }) {
  const { names, runs } = page;
  const [keysOn, setKeysOn] = useState(true);
  const [place, show] = useAddress(parsePlace, formatPlace);
  const { all, opened } = place;
  const rows = shownCases(runs, all);
  const one =
    opened === null
      ? undefined
      : runs.cases.find(({ setId, caseId }) => wellFormed(setId) === opened.set && wellFormed(caseId) === opened.id);
  const here = one === undefined ? -1 : rows.indexOf(one);
  const open = (next: ComparedCase | undefined) =>
    next !== undefined && show({ all, opened: { set: next.setId, id: next.caseId } });
  const step = (by: 1 | -1) => {
    if (opened !== null) return void open(rows[here + by]);
    const links = [...document.querySelectorAll<HTMLElement>('.compared-row h4 a')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? 0 : at + by]?.focus();
  };
  useKeys(keysOn, {
    j: () => step(1),
    k: () => step(-1),
    Escape: () => opened !== null && show({ all, opened: null }),
  });
  return (
    <>
      <SkipLink to="the comparison" />
      <header class="run">
        <div class="top">
          <h1 dir="auto">{visible(page.title)}</h1>
          <div class="tools">
            <PageTheme />
            <button type="button" class="quiet" aria-pressed={keysOn} onClick={() => setKeysOn(!keysOn)}>
              Keys j, k, Esc
            </button>
          </div>
        </div>
        <p class="compared">
          <span>
            Before: <bdi>{visible(names.base)}</bdi>
          </span>
          <span>
            Now: <bdi>{visible(names.candidate)}</bdi>
          </span>
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {opened === null && (
          <ComparedRunsView
            runs={runs}
            all={all}
            showAll={(next) => show({ all: next, opened: null }, 'instead')}
            hrefOf={({ setId, caseId }) => formatPlace({ all, opened: { set: setId, id: caseId } })}
          />
        )}
        {opened !== null && one === undefined && (
          <p class="empty">
            These runs have no case “{visible(opened.id)}” in “{visible(opened.set)}”.{' '}
            <a href={formatPlace({ all, opened: null })}>Back to both runs</a>
          </p>
        )}
        {one !== undefined && (
          <ComparedCaseView
            key={`${one.setId} ${one.caseId}`}
            one={one}
            details={{
              base: detailsOf(one, 'base', runs.cases.indexOf(one)),
              candidate: detailsOf(one, 'candidate', runs.cases.indexOf(one)),
            }}
            backTo={formatPlace({ all, opened: null })}
            place={here}
            of={rows.length}
            go={(to) => open(rows[to])}
          />
        )}
      </main>
      <footer>
        {/* Scrollable areas need keyboard access. */}
        <Licences text={licences} tabIndex={0} />
      </footer>
    </>
  );
}

/** Reads one side of a case from the page. */
function detailsOf(one: ComparedCase, side: Side, place: number): SideDetails {
  if (one[side] === null) return null;
  return embeddedCase(document, comparedBlockId(side, place));
}

function formatPlace({ all, opened }: Place): string {
  const query = new URLSearchParams(all ? { cases: 'all' } : {});
  return formatAddress(opened === null ? [] : ['case', opened.set, opened.id], query);
}

function parsePlace(hash: string): Place {
  const { steps, query } = parseAddress(hash);
  const [view, set, id, ...more] = steps;
  const all = query.get('cases') === 'all';
  if (view !== 'case' || set === undefined || id === undefined || more.length > 0) return { all, opened: null };
  return { all, opened: { set, id } };
}
