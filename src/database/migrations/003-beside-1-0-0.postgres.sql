-- The triggers of 003-beside-1-0-0.sqlite.sql for PostgreSQL. Comments there explain them.

create function count_clicks_of_1_0_0() returns trigger language plpgsql as $$
  declare segment bigint;
  begin
    update click_totals set people = people + new.people where link_id = new.link_id
      returning segment_id into segment;
    if new.people > 0 and found then
      if segment is null then
        insert into segments (owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
          select owner_id, domain_id,
            case utm_analytics_enabled when 1 then coalesce(utm_campaign, '') else '' end,
            case utm_analytics_enabled when 1 then coalesce(utm_source, '') else '' end,
            case utm_analytics_enabled when 1 then coalesce(utm_medium, '') else '' end,
            coalesce(person_id, ''), coalesce(tags, '')
          from links where id = new.link_id returning id into segment;
        update click_totals set segment_id = segment where link_id = new.link_id;
        insert into segment_clicks (segment_id, day, people)
          select segment_id, cast(replace(day, '-', '') as integer), clicks.people
          from clicks join click_totals on click_totals.link_id = clicks.link_id
          where clicks.link_id = new.link_id and segment_id is not null and clicks.people > 0
          on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
      else
        insert into segment_clicks (segment_id, day, people)
          select segment_id, cast(replace(max(day), '-', '') as integer), new.people
          from clicks join click_totals on click_totals.link_id = clicks.link_id
          where clicks.link_id = new.link_id and segment_id is not null group by segment_id
          on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
      end if;
    end if;
    return null;
end $$;
create trigger clicks_of_1_0_0 before insert on click_totals
  for each row when (new.owner_id = '') execute function count_clicks_of_1_0_0();

create function delete_clicks_of_1_0_0() returns trigger language plpgsql as $$
  begin
    insert into segment_clicks (segment_id, day, people)
      select segment_id, cast(replace(day, '-', '') as integer), -clicks.people
      from clicks join click_totals on click_totals.link_id = clicks.link_id
      where clicks.link_id = old.link_id and segment_id is not null and clicks.people > 0
      on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
    update link_destinations set remove_at = ended_at + 7776000000 where link_id = old.link_id;
    return old;
end $$;
create trigger deletions_of_1_0_0 before delete on click_totals
  for each row execute function delete_clicks_of_1_0_0();

create function change_links_of_1_0_0() returns trigger language plpgsql as $$
  declare segment bigint;
  begin
    if exists (
      select 1 from click_totals join segments on segments.id = segment_id join links on links.id = link_id
      where link_id = new.link_id and (
        segments.domain_id <> links.domain_id
        or segments.utm_campaign <>
          case utm_analytics_enabled when 1 then coalesce(links.utm_campaign, '') else '' end
        or segments.utm_source <>
          case utm_analytics_enabled when 1 then coalesce(links.utm_source, '') else '' end
        or segments.utm_medium <>
          case utm_analytics_enabled when 1 then coalesce(links.utm_medium, '') else '' end
      )
    ) then
      insert into segment_clicks (segment_id, day, people)
        select segment_id, cast(replace(day, '-', '') as integer), -clicks.people
        from clicks join click_totals on click_totals.link_id = clicks.link_id
        where clicks.link_id = new.link_id and segment_id is not null and clicks.people > 0
        on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
      insert into segments (owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
        select owner_id, domain_id,
          case utm_analytics_enabled when 1 then coalesce(utm_campaign, '') else '' end,
          case utm_analytics_enabled when 1 then coalesce(utm_source, '') else '' end,
          case utm_analytics_enabled when 1 then coalesce(utm_medium, '') else '' end,
          coalesce(person_id, ''), coalesce(tags, '')
        from links where id = new.link_id returning id into segment;
      update click_totals set segment_id = segment where link_id = new.link_id;
      insert into segment_clicks (segment_id, day, people)
        select segment_id, cast(replace(day, '-', '') as integer), clicks.people
        from clicks join click_totals on click_totals.link_id = clicks.link_id
        where clicks.link_id = new.link_id and segment_id is not null and clicks.people > 0
        on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
    end if;
    insert into link_destinations (link_id, revision, destination_url, ended_at, made_by)
      select new.link_id, revision - 1, new.changes::json #>> '{destination_url,0}', new.at, new.made_by
      from links where id = new.link_id and new.changes::json #>> '{destination_url,0}' is not null
      on conflict do nothing;
    return null;
end $$;
create trigger changes_of_1_0_0 after insert on link_history
  for each row execute function change_links_of_1_0_0();
