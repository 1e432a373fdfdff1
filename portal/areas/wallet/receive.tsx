import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Summary } from '../../parts/summary.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, type Failure } from '../../shell/api.ts';
import { open, requestExample } from '../../shell/examples.ts';
import { Form } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { hasTour } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialCard } from './card.tsx';
import { beginLogin, finishLogin, type LoginAnswer, type Offered, readOffer } from './offer.ts';
import { LINK_BODY } from './session.ts';

/** Consent to an offer. */
export const ReceivePage = () => {
  const t = texts().wallet;
  const { offer, state, code, iss, error, error_description } = place.value.query;
  if (state !== undefined) return <Returned key={state} answer={{ state, code, iss, error, error_description }} />;
  if (offer === undefined)
    return (
      <Page title={t.receive}>
        <p>{t.noOffer}</p>
      </Page>
    );
  return <Receive key={offer} offer={offer} />;
};

type Stored = Schemas['WalletCredential'][];

const Receive = ({ offer }: { offer: string }) => {
  const t = texts().wallet;
  const loading = useLoad(() => readOffer(offer), offer);
  const [stored, setStored] = useState<Stored>();
  if (stored) return <Received credentials={stored} />;
  return (
    <Page title={t.receive}>
      <Loaded of={loading}>{(offered) => <Consent {...offered} offer={offer} done={setStored} />}</Loaded>
    </Page>
  );
};

/** What comes of the login at the issuer, for which the user consented before. */
const Returned = ({ answer }: { answer: LoginAnswer }) => {
  const t = texts().wallet;
  const { data, failure } = useLoad(() => finishLogin(answer), answer.state);
  if (data) return <Received credentials={data} />;
  if (!failure)
    return (
      <Page title={t.receive}>
        <Skeleton />
      </Page>
    );
  return (
    <Page title={t.notReceived}>
      <FailureNotice failure={failure} title={t.loginFailed} />
      <div class="actions">
        <a class="button" href={to('/wallet')}>
          {t.toWallet}
        </a>
      </div>
    </Page>
  );
};

interface ConsentProps extends Offered {
  offer: string;
  done: (stored: Stored) => void;
}

const Consent = ({ wallet, issuer, proof, credentials, code: asked, needsLogin, offer, done }: ConsentProps) => {
  const t = texts().wallet;
  const [code, setCode] = useState('');
  const accepting = useAction(() => accept({ wallet, offer, code: asked ? code : '' }), done);
  const leaving = useAction(() => beginLogin(wallet, offer), leave);
  const wrong = asked && messageOf(accepting.failure);
  return (
    <Form
      action={needsLogin ? leaving : accepting}
      button={needsLogin ? t.logInThere : t.accept}
      errors={wrong === undefined ? [] : [{ id: 'code', message: wrong }]}
      beside={
        <a class="button" href={to('/wallet')}>
          {texts().cancel}
        </a>
      }
    >
      <div class="panel">
        <Summary
          rows={[
            [t.offeredBy, <WhoOffers key="who" issuer={issuer} proof={proof} />],
            ...credentials.map((one) => [t.offered, <OfferedCredential key={one.name} {...one} />] as const),
          ]}
        />
      </div>
      {needsLogin ? <p>{t.loginHint(issuer)}</p> : null}
      {asked ? (
        <Field
          id="code"
          label={t.code}
          hint={t.codeHint(asked.length, asked.isNumeric)}
          maxLength={asked.length}
          value={code}
          onValue={setCode}
          inputMode={asked.isNumeric ? 'numeric' : 'text'}
          autocomplete="one-time-code"
          wrong={wrong}
        />
      ) : null}
    </Form>
  );
};

const WhoOffers = ({ issuer, proof: { signedBy, registration } }: Pick<Offered, 'issuer' | 'proof'>) => {
  const t = texts().wallet;
  return (
    <>
      <strong translate={false}>{issuer}</strong>
      <span class="check-text">
        {signedBy ? t.proven.certificate(signedBy.name, signedBy.issuer) : t.unprovenIssuer}
      </span>
      {registration ? <span class="check-text">{t.registered(registration.name, registration.identifier)}</span> : null}
    </>
  );
};

/** Opens the login of the issuer, which comes back to this page. */
const leave = (begun: Schemas['BegunOfferAuthorization']): void => {
  if (begun.grant === 'authorization_code') location.assign(begun.authorizationUrl);
};

/** Why the issuer did not take a code; another one can be typed, since the offer is still there. */
const messageOf = (failure: Failure | undefined): string | undefined =>
  failure?.kind === 'refused' && failure.status === 400 ? failure.problem?.message : undefined;

const accept = ({ wallet, offer, code }: { wallet: string; offer: string; code: string }) =>
  ask(
    api.POST('/wallet-api/wallet/{wallet}/exchange/useOfferRequest', {
      params: { path: { wallet }, query: code === '' ? {} : { pinOrTxCode: code } },
      body: offer,
      ...LINK_BODY,
    }),
  );

const OfferedCredential = ({ name, claims, isUnregistered }: Offered['credentials'][number]) => (
  <>
    <strong>{name}</strong>
    {isUnregistered ? <span class="check-text">{texts().wallet.unregistered}</span> : null}
    {claims.length > 0 ? (
      <span class="check-text quiet">
        {`${texts().wallet.claims} `}
        <span translate={false}>{claims.join(', ')}</span>
      </span>
    ) : null}
  </>
);

const Received = ({ credentials }: { credentials: Stored }) => {
  const t = texts().wallet;
  const asking = useAction(requestExample, open);
  const title = credentials.length > 0 ? t.received : t.receivedLater;
  return (
    <Page title={title}>
      <Notice kind="good" role="status">
        <p>{title}</p>
      </Notice>
      <ul class="cards">
        {credentials.map((credential) => (
          <li key={credential.id}>
            <CredentialCard credential={credential} />
          </li>
        ))}
      </ul>
      {asking.failure ? <FailureNotice failure={asking.failure} again={asking.run} /> : null}
      <div class="actions">
        {hasTour() ? <ActionButton action={asking} text={t.next} isFirst /> : null}
        <a class="button" href={to('/wallet')}>
          {t.toWallet}
        </a>
      </div>
    </Page>
  );
};
