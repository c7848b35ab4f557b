import { caseBlockId, INDEX_ID, LICENCES_ID, type PageCase, type PageIndex } from '../page-data.ts';

/** A source for a run's data. */
export interface RunSource {
  readonly index: PageIndex;
  readonly licences: string;
  /** Returns the details of a case, `loading` if they may still arrive, or `missing` if the file is truncated. */
  details(place: number): PageCase | 'loading' | 'missing';
}

/** Reads a run from the page itself. Each case is parsed only when it is opened. */
export function embeddedRun(page: Document): RunSource {
  let last: { readonly place: number; readonly value: PageCase } | undefined;
  return {
    index: JSON.parse(page.getElementById(INDEX_ID)?.textContent ?? ''),
    licences: JSON.parse(page.getElementById(LICENCES_ID)?.textContent || '""'),
    details(place) {
      if (last?.place === place) return last.value;
      const value = embeddedCase(page, caseBlockId(place));
      if (typeof value === 'object') last = { place, value };
      return value;
    },
  };
}

/** Reads a case from an element of the page. */
export function embeddedCase(page: Document, id: string): PageCase | 'loading' | 'missing' {
  const block = page.getElementById(id);
  // A block is complete once something follows it or the whole page has loaded.
  if (page.readyState === 'loading' && !block?.nextElementSibling) return 'loading';
  try {
    return JSON.parse(block?.textContent ?? '');
  } catch {
    return 'missing';
  }
}
