import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useId, useState } from 'preact/hooks';
import { toggled } from './toggled.ts';

/** Reports whether a field holds an invalid value. */
type ReportError = (field: string, isWrong: boolean) => void;

export const FormErrors = createContext<ReportError>(() => undefined);

/** @returns the number of invalid fields, and the function through which fields report their state. */
export function useFormErrors(): readonly [number, ReportError] {
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback<ReportError>((field, isWrong) => {
    setWrong((before) => (before.has(field) === isWrong ? before : toggled(before, field)));
  }, []);
  return [wrong.size, report];
}

/** Holds the error of a field and reports it to the surrounding form. */
export function useFieldError() {
  const [problem, setProblem] = useState<string>();
  const report = useContext(FormErrors);
  const id = useId();
  useEffect(() => {
    report(id, problem !== undefined);
    return () => report(id, false);
  }, [problem]);
  return { id, problem, setProblem };
}
