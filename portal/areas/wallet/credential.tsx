import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { claimsIn, isTechnical } from '../../parts/cards/claims.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Claims, Summary } from '../../parts/summary.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { go, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialCard, issuerOf, nameOf } from './card.tsx';
import { WalletFrame } from './frame.tsx';
import { inWallet } from './session.ts';

type Credential = Schemas['WalletCredential'];

/** Everything that the wallet knows of one credential. */
export const CredentialPage = () => {
  const { id = '' } = useRoute().params;
  const path = '/wallet-api/wallet/{wallet}/credentials/{credentialId}';
  const loading = useLoad(
    () => inWallet((wallet) => ask(api.GET(path, { params: { path: { wallet, credentialId: id } } }))),
    id,
  );
  return (
    <WalletFrame title={loading.data ? nameOf(loading.data) : texts().wallet.credential}>
      <Loaded of={loading}>{(credential) => <Details credential={credential} />}</Loaded>
    </WalletFrame>
  );
};

const Details = ({ credential }: { credential: Credential }) => {
  const t = texts().wallet;
  const { id, issuer = '', format, addedOn, subjectIsHolder, parsedDocument = {}, display } = credential;
  const claims = claimsIn(parsedDocument);
  return (
    <>
      <div class="cards">
        <div>
          <CredentialCard credential={credential} />
        </div>
      </div>
      {subjectIsHolder === false ? (
        <Notice kind="information">
          <p>{t.aboutAnother}</p>
        </Notice>
      ) : null}
      <section class="panel">
        <h2>{t.says}</h2>
        <Claims claims={claims.filter((claim) => !isTechnical(claim))} labels={display?.claims} />
        <details>
          <summary>{texts().technical}</summary>
          <Summary
            rows={[
              [t.issuer, `${issuerOf(credential)} ${issuer}`],
              [t.addedOn, <Moment key="added" at={addedOn} />],
              [t.format, format],
              [t.id, <code key="id">{id}</code>],
            ]}
          />
          <Claims claims={claims.filter(isTechnical)} labels={display?.claims} />
        </details>
      </section>
      <div class="actions">
        <a class="button" href={to('/wallet/log', { credential: id })}>
          {t.itsHistory}
        </a>
        <Removal credential={credential} />
      </div>
    </>
  );
};

/** Deletes for good, after a question that names the credential. */
const Removal = ({ credential }: { credential: Credential }) => {
  const t = texts().wallet;
  const [isAsked, setAsked] = useState(false);
  const path = '/wallet-api/wallet/{wallet}/credentials/{credentialId}';
  const params = { path: { wallet: credential.wallet, credentialId: credential.id }, query: { permanent: true } };
  const removing = useAction(
    () => ask(api.DELETE(path, { params })),
    () => go(to('/wallet'), { replace: true }),
  );
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsked(true)}>
        {t.remove}
      </button>
      {removing.failure ? <FailureNotice failure={removing.failure} again={removing.run} /> : null}
      {isAsked ? (
        <Confirm
          title={t.removeTitle(nameOf(credential))}
          text={t.removeText}
          yes={t.remove}
          no={t.keep}
          onYes={removing.run}
          onNo={() => setAsked(false)}
        />
      ) : null}
    </>
  );
};
