import { labelOf } from '../../forms/labels.ts';
import { shortType } from '../../parts/cards/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Summary } from '../../parts/summary.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';
import { askedFor } from './choices.tsx';
import type { Description } from './request.ts';

type Registration = NonNullable<Description['registration']>;

/** For what the verifier is registered, and what it asks for beyond that. */
export const Registered = ({ registration, queries }: Pick<Description, 'registration' | 'queries'>) => {
  const t = texts().wallet.registration;
  if (!registration) return null;
  const { name, identifier, intermediary, purposes, privacyPolicy, credentials, surplus } = registration;
  const purpose = inLanguage(purposes);
  return (
    <>
      <div class="panel">
        <Summary
          rows={[
            [t.as, `${name}, ${identifier}`],
            ...(intermediary === undefined ? [] : [[t.through, intermediary] as const]),
            ...(purpose === undefined ? [] : [[t.purpose, purpose.text] as const]),
            ...credentials.map((one) => [t.for, registeredFor(one)] as const),
            ...(privacyPolicy === undefined ? [] : [[t.policy, privacyPolicy] as const]),
          ]}
        />
      </div>
      {surplus.length > 0 ? (
        <Notice kind="warning" title={t.more}>
          {queries.flatMap((query) => {
            const beyond = surplus.filter(({ queryId }) => queryId === query.id);
            const claims = beyond.flatMap(({ path }) => (path ? [labelOf(path)] : []));
            return beyond.length > 0 ? [<p key={query.id}>{t.beyond(askedFor(query), claims)}</p>] : [];
          })}
        </Notice>
      ) : null}
    </>
  );
};

const registeredFor = ({ types, claims }: Registration['credentials'][number]): string =>
  [types.map(shortType).join(', '), claims.map((path) => labelOf(path)).join(', ')]
    .filter((text) => text !== '')
    .join(': ');
