import type { ComponentChildren, RefObject } from 'preact';
import type { PageCase, PageIndex } from '../page-data.ts';
import type { Filter } from './route.ts';
import type { Column, PlacedRow } from './select-cases.ts';

/** What the overview and its grid of cases are made of. */
export interface OverviewProps {
  readonly index: PageIndex;
  readonly columns: readonly Column[];
  /** All of a case, by the place of its row. */
  details(place: number): PageCase | 'loading' | 'missing';
  readonly rows: readonly PlacedRow[];
  readonly filter: Filter;
  filterBy(change: Partial<Filter>): void;
  readonly active: number | null;
  setActive(place: number): void;
  /** Whether any case tells its tokens. */
  readonly withTokens: boolean;
  readonly printing: boolean;
  /** How far the list was scrolled when it was left. */
  readonly scrolled: RefObject<number>;
  readonly main: RefObject<HTMLElement | null>;
  readonly tools: ComponentChildren;
  /** Stands between the facts of the run and its grid. */
  readonly banner?: ComponentChildren | undefined;
  hrefOf(row: PlacedRow): string;
  /** The case that is open beside the list, or in it where there is no room; absent where no case ever is. */
  readonly pane?: Pane | undefined;
}

export interface Pane {
  /** Where its case is in the run; `null`: nothing is open. */
  readonly place: number | null;
  /** Draws it. */
  readonly draw: ((isBelow: boolean) => ComponentChildren) | undefined;
  /** Opens the case at a place; by default the first that has to be looked at. */
  open(place?: number): void;
  close(): void;
}
