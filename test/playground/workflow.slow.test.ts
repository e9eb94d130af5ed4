import { expect } from 'vitest'
import { focusOn, pageTest } from '../support/page.ts'
import { become } from '../support/playground.ts'
import { webClient } from '../support/web-client.ts'

pageTest(
  'runs a step with the keyboard, and shows its outputs or its error',
  async ({ slack, app, open }) => {
    const { page } = await open()
    await page.getByRole('link', { name: 'Workflow' }).press('Enter')
    const step = page.getByRole('region', { name: 'Shorten a link' })
    const runs = step.getByRole('log', { name: 'Runs' })

    await step.getByLabel('Back-half').press('Enter')
    await focusOn(step.getByLabel('Destination').and(step.locator(':invalid')))
    await runs.getByText('No runs yet').waitFor()

    await page.keyboard.type('https://example.com/page')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('spring')
    await page.keyboard.press('Enter')
    await runs.getByText('Running…').waitFor()

    await expect.poll(() => app.requests.length).toBe(1)
    const event = app.last().event as Record<'function_execution_id' | 'bot_access_token', string>
    expect(event).toMatchObject({
      inputs: { destination_url: 'https://example.com/page', back_half: 'spring' },
    })
    const web = webClient(slack.apiUrl, event.bot_access_token)
    await web.functions.completeSuccess({
      function_execution_id: event.function_execution_id,
      outputs: { short_url: 'https://go.example.com/spring' },
    })
    await runs.getByText('Completed').waitFor()
    const link = runs.getByRole('link', { name: 'https://go.example.com/spring' })
    expect(await link.getAttribute('href')).toBe('https://go.example.com/spring')
    expect(await step.getByLabel('Back-half').inputValue()).toBe('spring')

    await step.getByLabel('Destination').fill('nonsense')
    await page.getByRole('button', { name: 'Run step' }).click()
    await expect.poll(() => app.requests.length).toBe(2)
    const failed = app.last().event as Record<'function_execution_id' | 'bot_access_token', string>
    await webClient(slack.apiUrl, failed.bot_access_token).functions.completeError({
      function_execution_id: failed.function_execution_id,
      error: 'Destination: “&lt;nonsense&gt;” isn’t a link.',
    })
    await runs.getByText('Destination: “<nonsense>” isn’t a link.').waitFor()
    await become(page, 'Ben Okafor')
    await runs.getByText('No runs yet').waitFor()
  },
)
