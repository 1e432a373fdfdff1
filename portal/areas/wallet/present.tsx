import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { isTechnical, shortName, shortType } from '../../parts/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Claims, Summary } from '../../parts/summary.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { inWallet, LINK_BODY } from './session.ts';

type Description = Schemas['RequestDescription'];
type Query = Schemas['DescribedQuery'];
type Candidate = Schemas['DescribedCredential'];

interface Asked {
  wallet: string;
  description: Description;
}

const readRequest = (request: string): Promise<Outcome<Asked>> =>
  inWallet(async (wallet) => {
    const described = await ask(
      api.POST('/wallet-api/wallet/{wallet}/exchange/describePresentationRequest', {
        params: { path: { wallet } },
        body: request,
        ...LINK_BODY,
      }),
    );
    return described.ok ? { ok: true, data: { wallet, description: described.data } } : described;
  });

/** Who asks, which credential, what leaves the wallet, and the outcome. */
export const PresentPage = () => {
  const t = texts().wallet;
  const { request } = place.value.query;
  if (request === undefined)
    return (
      <Page title={t.present}>
        <p>{t.noRequest}</p>
      </Page>
    );
  return <Present key={request} request={request} />;
};

type Answered = { kind: 'shared' | 'declined'; redirectUri?: string };

const Present = ({ request }: { request: string }) => {
  const t = texts().wallet;
  const loading = useLoad(() => readRequest(request), request);
  const [answered, setAnswered] = useState<Answered>();
  if (answered) return <AnsweredPage {...answered} />;
  return (
    <Page title={t.present}>
      <Loaded of={loading}>{(asked) => <Decision {...asked} request={request} done={setAnswered} />}</Loaded>
    </Page>
  );
};

interface DecisionProps extends Asked {
  request: string;
  done: (answered: Answered) => void;
}

const Decision = ({ wallet, description, request, done }: DecisionProps) => {
  const { queries, isAnswerable } = description;
  const asked = queries.filter(({ credentials, isRequired }) => isRequired && credentials.length > 0);
  const [chosen, setChosen] = useState<Record<string, string>>(() => onlyCandidates(asked));
  const selected = [...new Set(Object.values(chosen))];
  const isComplete = isAnswerable && asked.every(({ id }) => chosen[id] !== undefined);
  return (
    <>
      <Asking {...description} />
      {isAnswerable ? null : <Missing queries={queries} />}
      {asked.map((query) => (
        <Choice
          key={query.id}
          query={query}
          chosen={chosen[query.id]}
          choose={(id) => setChosen((now) => ({ ...now, [query.id]: id }))}
        />
      ))}
      <Answers wallet={wallet} request={request} selected={isComplete ? selected : undefined} done={done} />
    </>
  );
};

const Asking = ({ verifier, proof, purposes }: Description) => {
  const t = texts().wallet;
  const reasons = purposes.map((purpose) => [t.why, purpose] as const);
  return (
    <div class="panel">
      <Summary rows={[[t.whoAsks, <WhoAsks key="who" verifier={verifier} proof={proof} />], ...reasons]} />
    </div>
  );
};

interface AnswersProps {
  wallet: string;
  request: string;
  /** What is shared; absent while something is missing. */
  selected?: string[];
  done: (answered: Answered) => void;
}

/** Share and decline, which weigh the same. */
const Answers = ({ wallet, request: presentationRequest, selected, done }: AnswersProps) => {
  const t = texts().wallet;
  const params = { path: { wallet } };
  const share = () => {
    const body = { presentationRequest, selectedCredentials: selected ?? [] };
    return ask(api.POST('/wallet-api/wallet/{wallet}/exchange/usePresentationRequest', { params, body }));
  };
  const decline = () => {
    const body = { presentationRequest };
    return ask(api.POST('/wallet-api/wallet/{wallet}/exchange/declinePresentationRequest', { params, body }));
  };
  const sharing = useAction(share, ({ redirectUri }) => done({ kind: 'shared', redirectUri }));
  const declining = useAction(decline, ({ redirectUri }) => done({ kind: 'declined', redirectUri }));
  const failed = [sharing, declining].find(({ failure }) => failure);
  return (
    <>
      {failed?.failure ? <FailureNotice failure={failed.failure} again={failed.run} /> : null}
      <div class="actions">
        {selected ? <ActionButton action={sharing} text={t.share} /> : null}
        <ActionButton action={declining} text={t.decline} />
      </div>
    </>
  );
};

/** What is chosen from the start: where there is a choice, nothing. */
const onlyCandidates = (queries: readonly Query[]): Record<string, string> =>
  Object.fromEntries(
    queries.flatMap(({ id, credentials: [only, ...others] }) => (only && others.length === 0 ? [[id, only.id]] : [])),
  );

const WhoAsks = ({ verifier, proof }: Pick<Description, 'verifier' | 'proof'>) => (
  <>
    <strong>{verifier.name ?? verifier.responseHost}</strong>
    <span class="check-text">{proofText(proof)}</span>
  </>
);

function proofText(proof: Description['proof']): string {
  const t = texts().wallet;
  switch (proof.kind) {
    case 'redirect-uri':
      return t.proven['redirect-uri'](proof.host);
    case 'did-signature':
      return t.proven.did(shortName(proof.did));
    case 'certificate':
      return [t.proven.certificate(proof.name, proof.issuer), ...(proof.isTrusted ? [] : [t.proven.untrusted])].join(
        ' ',
      );
    case 'federation':
      return t.proven.federation(proof.entity, proof.trustAnchor);
    case 'unproven':
      return t.unproven;
  }
}

const Missing = ({ queries }: { queries: readonly Query[] }) => {
  const t = texts().wallet;
  const missing = queries.filter(({ credentials }) => credentials.length === 0);
  return (
    <Notice kind="warning" title={t.cannot} role="status">
      {missing.map(({ id, name = id }) => (
        <p key={id}>{t.missing(name)}</p>
      ))}
    </Notice>
  );
};

interface ChoiceProps {
  query: Query;
  chosen: string | undefined;
  choose: (id: string) => void;
}

const Choice = ({ query, chosen, choose }: ChoiceProps) => {
  const t = texts().wallet;
  const candidate = query.credentials.find(({ id }) => id === chosen);
  return (
    <>
      {query.credentials.length > 1 ? (
        <fieldset>
          <legend>{query.name ?? t.choose}</legend>
          {query.credentials.map(({ id, type, issuer }) => (
            <label key={id} class="choice">
              <input type="radio" name={query.id} checked={id === chosen} onChange={() => choose(id)} />
              <span>
                {shortType(type)} <span class="quiet">{t.issuedBy(shortName(issuer))}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      {candidate ? <Disclosure candidate={candidate} /> : null}
    </>
  );
};

/** Everything that the verifier would learn, and what it would not. */
const Disclosure = ({ candidate: { type, disclosed, withheld, isWhole } }: { candidate: Candidate }) => {
  const t = texts().wallet;
  return (
    <section class="panel">
      <h2 translate={false}>{shortType(type)}</h2>
      <h3>{t.shares}</h3>
      <Claims claims={disclosed.filter((claim) => !isTechnical(claim))} />
      <details>
        <summary>{texts().technical}</summary>
        <Claims claims={disclosed.filter(isTechnical)} />
      </details>
      <h3>{t.keeps}</h3>
      {isWhole ? <p>{t.keepsNothing}</p> : <Claims claims={withheld} />}
    </section>
  );
};

const AnsweredPage = ({ kind, redirectUri }: Answered) => {
  const t = texts().wallet;
  const { session } = place.value.query;
  const isShared = kind === 'shared';
  return (
    <Page title={isShared ? t.shared : t.notShared}>
      <Notice kind={isShared ? 'good' : 'information'} role="status">
        <p>{isShared ? t.sharedText : t.declinedText}</p>
      </Notice>
      <div class="actions">
        {session === undefined ? null : (
          <a class="button first" href={to(`/verify/session/${encodeURIComponent(session)}`)}>
            {t.seeResult}
          </a>
        )}
        {redirectUri !== undefined && isWeb(redirectUri) ? (
          <a class="button" href={redirectUri} rel="noreferrer">
            {t.leads(new URL(redirectUri).host)}
          </a>
        ) : null}
        <a class="button" href={to('/wallet')}>
          {t.toWallet}
        </a>
      </div>
    </Page>
  );
};

/** A verifier chooses where it leads, so only to pages of the web. */
const isWeb = (uri: string): boolean => URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol);
