import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { AnyVerdict, CaseRoute, CasesRoute, Route } from './route.ts';
import type { RunSource } from './run-source.ts';
import type { Column, PlacedRow } from './select-cases.ts';

/** The preview pane: its components, whether it is open, and a function to persist that. */
export interface BesideSetting {
  readonly open: boolean;
  keep(open: boolean): void;
  readonly pane: ComponentType<PaneProps>;
  /** A bar between the list and the pane that changes their widths. */
  readonly splitter: ComponentType;
}

/** The previewed case. */
export interface BesideCase {
  readonly route: CaseRoute;
  /** The row of the case, or `undefined` if the run has no such case. */
  readonly row: PlacedRow | undefined;
}

export interface PaneProps {
  readonly source: RunSource;
  readonly columns: readonly Column[];
  readonly beside: BesideCase;
  /** Whether the pane is placed in the list, below its row. */
  readonly isBelow: boolean;
  /** Preview the previous or the next case that did not pass. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  close(): void;
  /** Opens the case in full. */
  open(route: CaseRoute): void;
  choose(repeat: number): void;
  format(route: Route): string;
  /** Returns the address of the preview for another variant. */
  hrefOf(variant: string): string;
}

/** Verdicts that need attention, most urgent first. */
const LOOKED_AT: readonly AnyVerdict[] = ['failed', 'error', 'not-evaluated'];

/**
 * Finds the case to preview first: the first failed case, or else one that could not be run or judged. While the run is
 * in flight, only failed cases count, because other verdicts may still change.
 */
export function firstToLookAt(rows: readonly PlacedRow[], isOver: boolean): PlacedRow | undefined {
  for (const verdict of isOver ? LOOKED_AT : LOOKED_AT.slice(0, 1)) {
    const first = rows.find(({ row }) => row.verdict === verdict);
    if (first !== undefined) return first;
  }
  return undefined;
}

/**
 * Previews the first case that needs attention, unless the address names a case or the user has closed the pane. An
 * open preview stays as long as its case is in the list.
 */
export function useBeside(given: {
  readonly setting: BesideSetting | undefined;
  /** The route of the list, or `undefined` in other views. */
  readonly route: CasesRoute | undefined;
  readonly shown: BesideCase | undefined;
  readonly first: PlacedRow | undefined;
  /** Whether the list contains the previewed case. */
  readonly isListed: boolean;
  show(row: PlacedRow | undefined, how: 'after' | 'instead'): void;
}) {
  const { setting, route, shown, first, isListed } = given;
  const [isWanted, setWanted] = useState(setting?.open ?? false);
  const isDue = shown === undefined ? isWanted : shown.row !== undefined && !isListed;
  // Runs before the browser paints the list at full width.
  useLayoutEffect(() => {
    if (setting !== undefined && route !== undefined && isDue && first !== undefined) given.show(first, 'instead');
  }, [route, first?.place, isDue]);
  const want = (open: boolean) => {
    setWanted(open);
    setting?.keep(open);
  };
  return {
    open(row: PlacedRow | undefined) {
      want(true);
      if (row !== undefined) given.show(row, 'after');
    },
    close() {
      want(false);
      given.show(undefined, 'after');
    },
  };
}
