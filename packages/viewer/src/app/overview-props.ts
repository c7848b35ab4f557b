import type { ComponentChildren, ComponentType, RefObject } from 'preact';
import type { PageCase, PageIndex, RunProgress } from '../page-data.ts';
import type { Filter } from './route.ts';
import type { Column, PlacedRow } from './select-cases.ts';

export interface OverviewProps {
  readonly index: PageIndex;
  readonly columns: readonly Column[];
  /** Returns the details of the case at a position in the run. */
  details(place: number): PageCase | 'loading' | 'missing';
  readonly rows: readonly PlacedRow[];
  readonly filter: Filter;
  filterBy(change: Partial<Filter>): void;
  readonly active: number | null;
  setActive(place: number): void;
  readonly withTokens: boolean;
  readonly printing: boolean;
  /** The list's scroll position when it was last left. */
  readonly scrolled: RefObject<number>;
  readonly main: RefObject<HTMLElement | null>;
  readonly tools: ComponentChildren;
  /** Shown between the facts of the run and the grid. */
  readonly banner?: ComponentChildren | undefined;
  hrefOf(row: PlacedRow): string;
  /** The head of a run in flight. */
  readonly running?: ComponentType<RunningProps> | undefined;
  /** The preview pane, if cases can be previewed at all. */
  readonly pane?: Pane | undefined;
}

export interface RunningProps {
  readonly index: PageIndex;
  readonly progress: RunProgress;
}

export interface Pane {
  /** The position of the previewed case in the run. */
  readonly place: number | null;
  readonly draw: ((isBelow: boolean) => ComponentChildren) | undefined;
  /** A bar between the list and the pane. */
  readonly splitter: ComponentType;
  /** Previews the case at a position, or by default the first one that needs attention. */
  open(place?: number): void;
  close(): void;
}
