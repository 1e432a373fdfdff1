import { signal } from '@preact/signals';

/** What was typed last and not sent yet: kept while the reader logs in again, and nowhere but in this document. */
const draft = signal<{ key: string; value: unknown }>({ key: '', value: undefined });

/** A value that survives a visit to another page; `key` names the page. */
export function useDraft<T>(key: string, initial: T): { value: T; set(value: T): void; forget(): void } {
  const value = draft.value.key === key ? (draft.value.value as T) : initial;
  return {
    value,
    set: (changed) => {
      draft.value = { key, value: changed };
    },
    forget: () => {
      draft.value = { key: '', value: undefined };
    },
  };
}
