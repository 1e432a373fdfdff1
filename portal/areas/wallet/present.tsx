import { useState } from 'preact/hooks';
import { claimsIn, shortName } from '../../parts/cards/claims.ts';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Claims, Summary } from '../../parts/summary.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, type Failure } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { askedFor, Missing, QueryChoice, Radios } from './choices.tsx';
import { Registered } from './registered.tsx';
import {
  type Asked,
  answerable,
  type Chosen,
  type Description,
  decided,
  readRequest,
  selectionOf,
  toAnswer,
} from './request.ts';

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
      <Loaded of={loading}>{(asked) => <Decision asked={asked} request={request} done={setAnswered} />}</Loaded>
    </Page>
  );
};

interface DecisionProps {
  asked: Asked;
  request: string;
  done: (answered: Answered) => void;
}

const Decision = ({ asked, request, done }: DecisionProps) => {
  const { description } = asked;
  const [chosen, setChosen] = useState<Chosen>(() => decided(asked));
  return (
    <>
      <Asking {...description} />
      <Registered {...description} />
      {description.isAnswerable ? null : <Missing queries={description.queries} />}
      {description.isAnswerable ? <Choices asked={asked} chosen={chosen} choose={setChosen} /> : null}
      <Transactions {...description} />
      <Answers asked={asked} request={request} chosen={chosen} done={done} />
    </>
  );
};

interface ChoicesProps {
  asked: Asked;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

const Choices = ({ asked: { description, known, dids }, chosen, choose }: ChoicesProps) => {
  const t = texts().wallet;
  const { asked, free } = toAnswer(description, chosen);
  const select = (id: string) => (credentials: readonly string[]) =>
    choose({ ...chosen, credentials: { ...chosen.credentials, [id]: credentials } });
  return (
    <>
      <Sets description={description} chosen={chosen} choose={choose} />
      {[...asked, ...free].map((query) => (
        <QueryChoice
          key={query.id}
          query={query}
          known={known}
          chosen={chosen.credentials[query.id]}
          choose={select(query.id)}
          isFree={free.includes(query)}
        />
      ))}
      {description.login ? (
        <>
          <Radios
            name="did"
            legend={t.logsIn}
            options={dids.map((did) => [did, shortName(did)] as const)}
            chosen={chosen.did}
            choose={(did) => choose({ ...chosen, did })}
          />
          <p class="quiet">{t.logsInText}</p>
        </>
      ) : null}
    </>
  );
};

interface SetsProps extends Omit<ChoicesProps, 'asked'> {
  description: Description;
}

/** The choices between combinations of credentials, where more than one can be made. */
const Sets = ({ description: { choices, queries }, chosen, choose }: SetsProps) => {
  const t = texts().wallet;
  const named = (ids: readonly string[]) => t.and(queries.filter(({ id }) => ids.includes(id)).map(askedFor));
  return (
    <>
      {choices.map((choice, at) => {
        const options = answerable(choice, queries).map((one) => [`${one}`, named(choice.options[one] ?? [])] as const);
        const all = choice.isRequired ? options : [...options, ['-1', t.nothing] as const];
        return all.length < 2 ? null : (
          <Radios
            key={JSON.stringify(choice.options)}
            name={`choice-${at}`}
            legend={choice.purpose ?? t.chooseSet}
            options={all}
            chosen={chosen.options[at] === undefined ? undefined : `${chosen.options[at]}`}
            choose={(value) => choose({ ...chosen, options: { ...chosen.options, [at]: Number(value) } })}
          />
        );
      })}
    </>
  );
};

const Asking = ({ verifier, proof, purposes, queries, expiresAt }: Description) => {
  const t = texts().wallet;
  const reasons = [...purposes, ...queries.flatMap(({ purpose }) => purpose ?? [])];
  return (
    <div class="panel">
      <Summary
        rows={[
          [t.whoAsks, <WhoAsks key="who" verifier={verifier} proof={proof} />],
          [t.goesTo, verifier.responseHost],
          ...[...new Set(reasons)].map((purpose) => [t.why, purpose] as const),
          ...(expiresAt === undefined ? [] : [[t.until, <Moment key="until" at={expiresAt} />] as const]),
        ]}
      />
    </div>
  );
};

const WhoAsks = ({ verifier, proof }: Pick<Description, 'verifier' | 'proof'>) => (
  <>
    <strong translate={false}>{verifier.name ?? verifier.responseHost}</strong>
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
    case 'attestation':
      return t.proven.attestation(proof.name, proof.issuer);
    case 'registered':
      return t.proven.registered(proof.name);
    case 'origin':
      return t.proven.origin(proof.host);
    case 'unproven':
      return t.unproven;
  }
}

/** What the user would authorize, each with everything that the verifier wrote. */
const Transactions = ({ transactions }: Description) => (
  <>
    {transactions.map(({ type, content }) => (
      <section key={JSON.stringify(content)} class="panel">
        <h2>{`${texts().wallet.authorizes}: ${type}`}</h2>
        <Claims claims={claimsIn(content)} />
      </section>
    ))}
  </>
);

interface AnswersProps extends DecisionProps {
  chosen: Chosen;
}

/** Share and decline, which weigh the same. */
const Answers = ({ asked, request: presentationRequest, chosen, done }: AnswersProps) => {
  const t = texts().wallet;
  const params = { path: { wallet: asked.wallet } };
  const selectedCredentials = selectionOf(asked, chosen);
  const share = () => {
    const login = chosen.did === undefined ? {} : { loginDid: chosen.did };
    const { consent } = asked.description;
    const body = { presentationRequest, consent, selectedCredentials: selectedCredentials ?? [], ...login };
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
      {failed?.failure ? <FailureNotice failure={failed.failure} again={failed.run} title={t.refused} /> : null}
      <div class="actions">
        {selectedCredentials ? <ActionButton action={sharing} text={t.share} /> : null}
        <ActionButton action={declining} text={t.decline} />
        <Onwards redirectUri={redirectOf(failed?.failure)} />
      </div>
    </>
  );
};

/** A verifier may lead on after a refusal too. */
function redirectOf(failure: Failure | undefined): string | undefined {
  const { redirectUri } = Object(failure?.kind === 'refused' ? failure.problem : undefined);
  return typeof redirectUri === 'string' ? redirectUri : undefined;
}

/** The way to a page of the verifier, which waits for a click; a verifier chooses it, so only to pages of the web. */
const Onwards = ({ redirectUri }: { redirectUri: string | undefined }) => {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return null;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? (
    <a class="button" href={redirectUri} rel="noreferrer">
      {texts().wallet.leads(host)}
    </a>
  ) : null;
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
        <Onwards redirectUri={redirectUri} />
        <a class="button" href={to('/wallet')}>
          {t.toWallet}
        </a>
      </div>
    </Page>
  );
};
