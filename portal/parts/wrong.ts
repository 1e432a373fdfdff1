import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What is wrong with the fields of a form, by their ids. */
export const WrongFields = createContext<Readonly<Record<string, string>>>({});

/** What is wrong with a field. */
export const useWrong = (id: string): string | undefined => useContext(WrongFields)[id];
