/** Each state with its icon and colour; the word beside them says it. */
const STATES = {
  checking: ['…', ''],
  good: ['✓', 'good-word'],
  expired: ['✕', 'bad-word'],
  revoked: ['✕', 'bad-word'],
  suspended: ['‖', 'warning-word'],
  unknown: ['?', 'warning-word'],
} as const;

export type State = keyof typeof STATES;

/** The state of a card as icon and word. */
export const StateWord = ({ state, word }: { state: State; word: string }) => {
  const [icon, colour] = STATES[state];
  return (
    <span class={`state ${colour}`}>
      <span aria-hidden="true">{icon}</span> {word}
    </span>
  );
};
