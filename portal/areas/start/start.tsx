import { Summary } from '../../parts/summary.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { offerExample, open, requestExample } from '../../shell/examples.ts';
import { LoopbackNotice } from '../../shell/loopback.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { hasTour, hasWallet, settings } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';

/** The start: the tour, and what runs here. */
export const StartPage = () => {
  const t = texts().start;
  const { publicUrl, services, version, title } = settings();
  return (
    <Page title={title}>
      <p>{t.lead}</p>
      {hasTour() && hasWallet() ? <Tour /> : <p>{t.tourOff}</p>}
      <h2>{t.here}</h2>
      <LoopbackNotice />
      <Summary
        rows={[
          [t.address, <code key="address">{publicUrl}</code>],
          [
            t.services,
            <span key="services" translate={false}>
              {services.join(', ')}
            </span>,
          ],
          [t.version, version],
          [
            t.api,
            <a key="api" href="docs">
              {t.apiLink}
            </a>,
          ],
        ]}
      />
    </Page>
  );
};

const Tour = () => {
  const t = texts().start;
  const offering = useAction(offerExample, open);
  const asking = useAction(requestExample, open);
  const failure = offering.failure ?? asking.failure;
  return (
    <section>
      <h2>{t.tour}</h2>
      <p>{t.tourText}</p>
      {failure ? <FailureNotice failure={failure} again={offering.failure ? offering.run : asking.run} /> : null}
      <ol class="tour">
        <li class="panel">
          <h3>{t.issue}</h3>
          <p>{t.issueText}</p>
          <ActionButton action={offering} text={t.issueButton} isFirst />
          <a href={to('/issue')}>{t.issueOther}</a>
          <a href={to('/status')}>{t.issueStatus}</a>
        </li>
        <li class="panel">
          <h3>{t.hold}</h3>
          <p>{t.holdText}</p>
          <a class="button" href={to('/wallet')}>
            {t.holdButton}
          </a>
        </li>
        <li class="panel">
          <h3>{t.verify}</h3>
          <p>{t.verifyText}</p>
          <ActionButton action={asking} text={t.verifyButton} />
          <a href={to('/verify')}>{t.verifyOther}</a>
        </li>
      </ol>
    </section>
  );
};
