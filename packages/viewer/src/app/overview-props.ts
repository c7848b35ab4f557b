import type { ComponentChildren, RefObject } from 'preact';
import type { PageCase, PageIndex } from '../page-data.ts';
import type { Filter } from './route.ts';
import type { Column, PlacedRow } from './select-cases.ts';

export interface OverviewProps {
  readonly index: PageIndex;
  readonly columns: readonly Column[];
  /** The details of a case by its position in the run. */
  details(place: number): PageCase | 'loading' | 'missing';
  readonly rows: readonly PlacedRow[];
  readonly filter: Filter;
  filterBy(change: Partial<Filter>): void;
  readonly active: number | null;
  setActive(place: number): void;
  readonly withTokens: boolean;
  readonly printing: boolean;
  /** Scroll position of the list when it was left. */
  readonly scrolled: RefObject<number>;
  readonly main: RefObject<HTMLElement | null>;
  readonly tools: ComponentChildren;
  /** Shown between the facts of the run and the grid. */
  readonly banner?: ComponentChildren | undefined;
  hrefOf(row: PlacedRow): string;
  /** Absent if cases are never previewed. */
  readonly pane?: Pane | undefined;
}

export interface Pane {
  /** Position of the previewed case in the run. */
  readonly place: number | null;
  readonly draw: ((isBelow: boolean) => ComponentChildren) | undefined;
  /** Previews the case at a position; by default the first one that needs attention. */
  open(place?: number): void;
  close(): void;
}
