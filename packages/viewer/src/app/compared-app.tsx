import type { ComparedCase } from '@agent-criteria/analysis';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ComparedPage, comparedBlockId } from '../compared-runs.ts';
import { ComparedCaseView, type SideDetails } from './compared-case-view.tsx';
import { ComparedRunsView, type Side, shownCases } from './compared-runs-view.tsx';
import { visible } from './format.ts';
import { wellFormed } from './route.ts';
import { useKeys } from './use-keys.ts';

type Theme = 'auto' | 'light' | 'dark';
const NEXT_THEME = { auto: 'light', light: 'dark', dark: 'auto' } as const;

/** What is in the address: `#/?cases=all`, `#/case/set/id`. */
interface Place {
  readonly all: boolean;
  readonly opened: { readonly set: string; readonly id: string } | null;
}

/** The page of two runs. */
export function ComparedApp({ page, licences }: { readonly page: ComparedPage; readonly licences: string }) {
  const { names, runs } = page;
  const [theme, setTheme] = useState<Theme>('auto');
  const [keysOn, setKeysOn] = useState(true);
  const [place, show] = usePlace();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
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
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page, which the address must not forget the view for. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the comparison
      </a>
      <header class="run">
        <div class="top">
          <h1 dir="auto">{visible(page.title)}</h1>
          <div class="tools">
            <button type="button" class="quiet" onClick={() => setTheme(NEXT_THEME[theme])}>
              Theme: {theme}
            </button>
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
      <main id="main" ref={main} tabIndex={-1}>
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
        <details>
          <summary>Licences of the software on this page</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too. */}
          <pre class="licences" tabIndex={0}>
            {licences}
          </pre>
        </details>
      </footer>
    </>
  );
}

/** What is in the page of one side of a case. */
function detailsOf(one: ComparedCase, side: Side, place: number): SideDetails {
  if (one[side] === null) return null;
  const block = document.getElementById(comparedBlockId(side, place));
  // A block is complete when something follows it, or when the whole page is there.
  if (document.readyState === 'loading' && !block?.nextElementSibling) return 'loading';
  try {
    return JSON.parse(block?.textContent ?? '');
  } catch {
    return 'missing';
  }
}

/** The view in the address. Where a page may not change its address, the view changes all the same. */
function usePlace() {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  const show = (next: Place, how: 'after' | 'instead' = 'after') => {
    setPlace(next);
    try {
      if (how === 'instead') history.replaceState(null, '', formatPlace(next));
      else history.pushState(null, '', formatPlace(next));
    } catch {
      // A frame without an address of its own, or too many changes in a short time.
    }
  };
  useEffect(() => {
    const follow = () => setPlace(parsePlace(location.hash));
    const click = (event: MouseEvent) => {
      const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
      const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
      // Other buttons and keys open a tab or a window of its own.
      if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
      event.preventDefault();
      show(parsePlace(link.getAttribute('href') ?? ''));
    };
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    addEventListener('click', click);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
      removeEventListener('click', click);
    };
  }, []);
  return [place, show] as const;
}

function formatPlace({ all, opened }: Place): string {
  const steps =
    opened === null ? '' : `case/${[opened.set, opened.id].map((id) => encodeURIComponent(wellFormed(id))).join('/')}`;
  return `#/${steps}${all ? '?cases=all' : ''}`;
}

function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, view, set, id, ...more] = path.split('/');
  const all = new URLSearchParams(query).get('cases') === 'all';
  if (view !== 'case' || set === undefined || id === undefined || more.length > 0) return { all, opened: null };
  return { all, opened: { set: unescaped(set), id: unescaped(id) } };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
