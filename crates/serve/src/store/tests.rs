//! Tests of the store.

use super::LOCK;
use super::*;
use pontifex_play::{BUILT_IN, Host, Input, PageMessage};

const PLAY: &str = r#"{"type":"play","move":"a1,b1"}"#;

/// A session as saved after some requests.
fn saved_after(requests: &[&str]) -> SavedSession {
    let mut host = Host::new("", Table::first(), &[BUILT_IN]);
    for request in requests {
        let message = PageMessage::read(request);
        host.handle(Input::Message(1, message), Duration::ZERO, &|| Ok(()));
        host.handle(Input::Saved(None), Duration::ZERO, &|| Ok(()));
    }
    SavedSession::of(host.table())
}

fn new_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("pontifex-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A session with a file.
fn game(store: &Store) -> SessionId {
    let id = store.create();
    store.write(id, &saved_after(&[PLAY])).unwrap();
    id
}

fn set_used(store: &Store, id: SessionId, age: Duration) {
    store.index.get_mut(&id).unwrap().last_used = SystemTime::now() - age;
}

#[test]
fn an_unreadable_file_is_not_damaged() {
    let folder = new_folder("store-unread");
    let store = Store::open(&folder, 3).unwrap();
    let id = game(&store);
    let path = store.path(id);
    let away = path.with_extension("away");
    fs::rename(&path, &away).unwrap();
    fs::create_dir(&path).unwrap();
    let error = store.read(id).unwrap().unwrap_err().to_string();
    assert!(!error.contains("damaged") && store.contains(id), "{error}");
    fs::remove_dir(&path).unwrap();
    fs::rename(&away, &path).unwrap();
    assert!(store.read(id).unwrap().is_ok());
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn the_list_has_games_with_moves_most_recent_first() {
    let folder = new_folder("store-list");
    let store = Store::open(&folder, 9).unwrap();
    let [empty, first, second] = [(); 3].map(|()| store.create());
    let resign = r#"{"type":"resign","player":"red"}"#;
    store.write(empty, &saved_after(&[])).unwrap();
    store.write(first, &saved_after(&[PLAY])).unwrap();
    store.write(second, &saved_after(&[PLAY])).unwrap();
    fs::write(store.path(first), "{").unwrap();
    let ids = || store.list().iter().map(|&(id, ..)| id).collect::<Vec<_>>();
    assert_eq!(ids(), [second], "a damaged one is not listed");
    store.write(first, &saved_after(&[PLAY])).unwrap();
    assert_eq!(ids(), [first, second]);
    assert_eq!(store.list()[0].2.turns, 1);
    store.write(second, &saved_after(&[PLAY, resign])).unwrap();
    assert_eq!(store.list()[0].2.result.as_ref().unwrap().text, "W+R");
    fs::remove_file(store.forget(second).unwrap()).unwrap();
    assert_eq!(ids(), [first]);
    assert!(!store.contains(second));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn a_session_becomes_a_file_with_its_first_move() {
    let folder = new_folder("store-empty");
    let store = Store::open(&folder, 9).unwrap();
    let id = store.create();
    let small = r#"{"type":"new","board":5}"#;
    let files = || fs::read_dir(&folder).unwrap().count() - 1;
    store.write(id, &saved_after(&[small])).unwrap();
    assert_eq!(files(), 0, "besides the lock");
    let table = store.read(id).unwrap().unwrap();
    assert_eq!(SavedSession::of(&table), saved_after(&[small]), "what was chosen stays");
    store.write(id, &saved_after(&[small, PLAY])).unwrap();
    assert_eq!(files(), 1);
    // The last game is a session of its own by now: this file must not list it again.
    store.write(id, &saved_after(&[small])).unwrap();
    assert_eq!((files(), store.list().len()), (1, 0));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn the_oldest_empty_session_goes_first_and_no_game_of_this_month() {
    let folder = new_folder("store");
    let store = Store::open(&folder, 4).unwrap();
    let (day, year) = (Duration::from_secs(24 * 3600), Duration::from_secs(365 * 24 * 3600));
    let [old, new] = [game(&store), game(&store)];
    let [first, second] = [(); 2].map(|()| store.create());
    set_used(&store, old, day);
    set_used(&store, second, day / 2);
    let create = |open: SessionId| store.make_room(|id| id == open).map(|()| store.create());
    // A session that is in memory stays.
    let third = create(second).unwrap();
    let contained = [old, new, first, second, third].map(|id| store.contains(id));
    assert_eq!(contained, [true, true, false, true, true]);
    store.write(third, &saved_after(&[PLAY])).unwrap();
    let error = create(second).unwrap_err().to_string();
    assert!(error.starts_with("there are 4 games"), "{error}");
    let fourth = create(third).unwrap();
    assert!(!store.contains(second) && create(fourth).is_err());
    // A game that nobody has opened for a year makes room for another.
    set_used(&store, old, year);
    assert!(store.path(old).exists() && create(fourth).is_ok());
    assert!(!store.path(old).exists() && !store.contains(old) && store.contains(fourth));

    // Files of earlier versions may hold no move.
    drop(store);
    let text = serde_json::to_string(&saved_after(&[])).unwrap();
    let ids: Vec<SessionId> = (0..4).map(|_| SessionId::random()).collect();
    for id in &ids {
        fs::write(folder.join(format!("{id}.json")), &text).unwrap();
    }
    let store = Store::open(&folder, 6).unwrap();
    for _ in &ids {
        store.make_room(|_| false).unwrap();
        store.create();
    }
    assert!(ids.iter().all(|&id| !store.contains(id)));
    assert!(store.contains(new) && store.contains(third));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn damaged_files_are_set_aside() {
    let folder = new_folder("store-damaged");
    let store = Store::open(&folder, 3).unwrap();
    let id = game(&store);
    fs::write(store.path(id), "{\"version\":1,").unwrap();
    drop(store);
    let store = Store::open(&folder, 3).unwrap();
    assert!(store.contains(id));
    let error = store.read(id).unwrap().unwrap_err().to_string();
    assert!(error.contains("is damaged: ") && error.contains(".damaged"), "{error}");
    assert!(!store.contains(id) && folder.join(format!("{id}.damaged")).exists());
    let _ = fs::remove_dir_all(&folder);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn loosen(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn games_are_for_their_owner_only() {
        let folder = new_folder("store-modes");
        let store = Store::open(&folder, 9).unwrap();
        let id = game(&store);
        let path = store.path(id);
        let modes = || [&folder, &folder.join(LOCK), &path].map(|path| mode(path));
        assert_eq!(modes(), [0o700, 0o600, 0o600]);
        // Those of earlier versions are tightened.
        drop(store);
        loosen(&folder, 0o755);
        loosen(&folder.join(LOCK), 0o644);
        loosen(&path, 0o644);
        drop(Store::open(&folder, 9).unwrap());
        assert_eq!(modes(), [0o700, 0o600, 0o600]);
        // A folder that holds something else is left as it is, and so is what is not ours.
        let other = folder.join("letters.txt");
        fs::write(&other, "").unwrap();
        loosen(&other, 0o644);
        loosen(&folder, 0o755);
        drop(Store::open(&folder, 9).unwrap());
        assert_eq!((mode(&folder), mode(&other)), (0o755, 0o644));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn anything_but_a_regular_file_is_left_out_and_hangs_nobody() {
        let folder = new_folder("store-kinds");
        let store = Store::open(&folder, 9).unwrap();
        let real = game(&store);
        let ids = [(); 3].map(|()| SessionId::random());
        let [fifo, link, inner] = ids.map(|id| folder.join(format!("{id}.json")));
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        symlink(store.path(real), &link).unwrap();
        fs::create_dir(&inner).unwrap();
        drop(store);
        let store = Store::open(&folder, 9).unwrap();
        assert!(store.contains(real) && ids.iter().all(|&id| !store.contains(id)));
        // The same for one that replaces a file while the server runs.
        for replacement in [&fifo, &link] {
            fs::rename(replacement, store.path(real)).unwrap();
            let error = store.read(real).unwrap().unwrap_err().to_string();
            assert!(error.contains("not a regular file"), "{error}");
            assert!(store.list().is_empty());
        }
        let _ = fs::remove_dir_all(&folder);
    }
}
