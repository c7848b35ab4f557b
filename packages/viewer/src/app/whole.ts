import { createContext } from 'preact';

/** Whether everything inside is shown: folds are open, and texts and lists are not cut. */
export const Whole = createContext(false);
